/* What the suites of C check with. */
#ifndef CHECK_H
#define CHECK_H

#include <farstride.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what)                                                                                        \
    do {                                                                                                    \
        if (!(what)) {                                                                                      \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #what, farstride_last_error());         \
            exit(1);                                                                                        \
        }                                                                                                   \
    } while (0)
#define OK(call) EXPECT((call) == FARSTRIDE_RESULT_OK)
#define FAILS(call, with, says)                                                                             \
    do {                                                                                                    \
        EXPECT((call) == (with));                                                                           \
        EXPECT(strstr(farstride_last_error(), says) != NULL);                                               \
    } while (0)

#endif
