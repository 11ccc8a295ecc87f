/* The interface of the Grid-Based Path Planning Competition, as far as an entry sees it; declared here so
 * that the entries can be tested without the competition's files. -DGPPC_ANY_ANGLE is the other track. */
#ifndef FARSTRIDE_GPPC_TEST_ENTRY_H
#define FARSTRIDE_GPPC_TEST_ENTRY_H

#include <cstdint>
#include <string>
#include <vector>

#ifdef GPPC_ANY_ANGLE
using Coordinate = double;
#else
using Coordinate = std::int16_t;
#endif

struct xyLoc {
    Coordinate x, y;
};

void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename);
void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename);
bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path);
std::string GetName();

#endif
