/* farstride for GDScript, in Godot 3: a class for NativeScript with maps, paths and edits. The README of bindings/c says
 * how to build it. */
#include <farstride.h>
#include <gdnative_api_struct.gen.h>

#include <stdlib.h>

static const godot_gdnative_core_api_struct *api;
static const godot_gdnative_ext_nativescript_api_struct *script;

/* What an object of the class has. Godot calls an object from one thread at a time. */
typedef struct {
    FarstridePlanner *planner;
    FarstrideScratch *scratch;
} Planner;

static godot_variant text(const char *message) {
    godot_string string;
    godot_variant made;
    api->godot_string_new(&string);
    api->godot_string_parse_utf8(&string, message);
    api->godot_variant_new_string(&made, &string);
    api->godot_string_destroy(&string);
    return made;
}

/* What methods return that have no other answer: why they failed, or nothing. */
static godot_variant came_to(FarstrideResult result) {
    return text(result == FARSTRIDE_RESULT_OK ? "" : farstride_last_error());
}

/* A coordinate as a whole number; one that is none is off every map. */
static int whole(godot_real number) { return number > -1e9f && number < 1e9f ? (int)number : -1; }

static void *create(godot_object *object, void *data) {
    (void)object, (void)data;
    Planner *planner = calloc(1, sizeof *planner);
    if (planner != NULL && farstride_scratch_new(&planner->scratch) != FARSTRIDE_RESULT_OK) {
        planner->scratch = NULL; /* Calls refuse it. */
    }
    return planner;
}

static void destroy(godot_object *object, void *data, void *user) {
    (void)object, (void)data;
    Planner *planner = user;
    if (planner != NULL) {
        farstride_planner_free(planner->planner);
        farstride_scratch_free(planner->scratch);
        free(planner);
    }
}

/* build(width, height, weights: PoolByteArray, engine: String) -> String: why it failed, or "" */
static godot_variant build(godot_object *object, void *data, void *user, int count, godot_variant **given) {
    (void)object, (void)data;
    Planner *self = user;
    if (count != 4 || self == NULL) {
        return text("build takes width, height, weights and the name of an engine");
    }
    const int64_t width = api->godot_variant_as_int(given[0]), height = api->godot_variant_as_int(given[1]);
    godot_pool_byte_array weights = api->godot_variant_as_pool_byte_array(given[2]);
    godot_string name = api->godot_variant_as_string(given[3]);
    godot_char_string engine = api->godot_string_utf8(&name);
    FarstrideGrid *grid = NULL;
    FarstridePlanner *planner = NULL;
    godot_variant answer;
    if (width < 1 || height < 1 || width > 65535 || height > 65535 ||
        api->godot_pool_byte_array_size(&weights) != width * height) {
        answer = text("weights has to have a byte for each of width times height cells");
    } else {
        godot_pool_byte_array_read_access *read = api->godot_pool_byte_array_read(&weights);
        FarstrideResult result = farstride_grid_new((uint32_t)width, (uint32_t)height,
                                                    api->godot_pool_byte_array_read_access_ptr(read), NULL, &grid);
        api->godot_pool_byte_array_read_access_destroy(read);
        if (result == FARSTRIDE_RESULT_OK) {
            const char *chosen = api->godot_char_string_get_data(&engine);
            result = farstride_planner_new(grid, chosen[0] == 0 ? NULL : chosen, NULL, NULL, &planner);
        }
        answer = came_to(result);
        if (result == FARSTRIDE_RESULT_OK) {
            farstride_planner_free(self->planner);
            self->planner = planner;
        }
    }
    farstride_grid_free(grid);
    api->godot_char_string_destroy(&engine);
    api->godot_string_destroy(&name);
    api->godot_pool_byte_array_destroy(&weights);
    return answer;
}

/* find(start: Vector2, goal: Vector2) -> PoolVector2Array: the cells of the path; empty if there is none */
static godot_variant find(godot_object *object, void *data, void *user, int count, godot_variant **given) {
    (void)object, (void)data;
    Planner *self = user;
    godot_pool_vector2_array path;
    godot_variant answer;
    api->godot_pool_vector2_array_new(&path);
    if (count == 2 && self != NULL) {
        const godot_vector2 start = api->godot_variant_as_vector2(given[0]);
        const godot_vector2 goal = api->godot_variant_as_vector2(given[1]);
        FarstrideQuery query = {0};
        query.start_x = whole(api->godot_vector2_get_x(&start)), query.start_y = whole(api->godot_vector2_get_y(&start));
        query.goal_x = whole(api->godot_vector2_get_x(&goal)), query.goal_y = whole(api->godot_vector2_get_y(&goal));
        FarstrideRoute route;
        if (farstride_find(self->planner, self->scratch, &query, &route) != FARSTRIDE_RESULT_OK) {
            api->godot_print_error(farstride_last_error(), "find", "farstride", 0);
        } else {
            /* Turning points of `straight` are in half cells. */
            const float unit = route.form == FARSTRIDE_FORM_HALVES ? 0.5f : 1.0f;
            for (size_t at = 0; at < route.count; at++) {
                godot_vector2 cell;
                api->godot_vector2_new(&cell, route.cells[at].x * unit, route.cells[at].y * unit);
                api->godot_pool_vector2_array_append(&path, &cell);
            }
        }
    }
    api->godot_variant_new_pool_vector2_array(&answer, &path);
    api->godot_pool_vector2_array_destroy(&path);
    return answer;
}

/* edit(area: Rect2, weight: int) -> String: why it failed, or "" */
static godot_variant edit(godot_object *object, void *data, void *user, int count, godot_variant **given) {
    (void)object, (void)data;
    Planner *self = user;
    if (count != 2 || self == NULL) {
        return text("edit takes a rectangle and a weight");
    }
    const godot_rect2 area = api->godot_variant_as_rect2(given[0]);
    const godot_vector2 at = api->godot_rect2_get_position(&area), size = api->godot_rect2_get_size(&area);
    const int64_t asked = api->godot_variant_as_int(given[1]);
    const int weight = asked < 0 || asked > 255 ? -1 : (int)asked;
    const FarstrideEdit change = {whole(api->godot_vector2_get_x(&at)), whole(api->godot_vector2_get_y(&at)),
                                  whole(api->godot_vector2_get_x(&size)), whole(api->godot_vector2_get_y(&size)),
                                  weight};
    return came_to(farstride_planner_edit(self->planner, &change, 1));
}

void GDN_EXPORT godot_gdnative_init(godot_gdnative_init_options *options) {
    api = options->api_struct;
    for (unsigned at = 0; at < api->num_extensions; at++) {
        if (api->extensions[at]->type == GDNATIVE_EXT_NATIVESCRIPT) {
            script = (const godot_gdnative_ext_nativescript_api_struct *)api->extensions[at];
        }
    }
}

void GDN_EXPORT godot_gdnative_terminate(godot_gdnative_terminate_options *options) {
    (void)options;
    api = NULL;
    script = NULL;
}

void GDN_EXPORT godot_nativescript_init(void *handle) {
    const godot_instance_create_func make = {create, NULL, NULL};
    const godot_instance_destroy_func unmake = {destroy, NULL, NULL};
    const godot_method_attributes plain = {GODOT_METHOD_RPC_MODE_DISABLED};
    const godot_instance_method methods[] = {{build, NULL, NULL}, {find, NULL, NULL}, {edit, NULL, NULL}};
    static const char *const names[] = {"build", "find", "edit"};
    script->godot_nativescript_register_class(handle, "Farstride", "Reference", make, unmake);
    for (int at = 0; at < 3; at++) {
        script->godot_nativescript_register_method(handle, "Farstride", names[at], plain, methods[at]);
    }
}
