/* YOUR IDEA GOES HERE. */

#include "decide.h"

#include <stdlib.h>
#include <string.h>

#include "cards.h"

/* Choose one of request->legal[0] to request->legal[request->legal_count - 1]: there is at least
 * one. Any of them is allowed, in every game (SPEC 10.5).
 *
 * request->time_us is how long you have, in microseconds (SPEC 6.2). The view is all that your
 * seat may know (SPEC 10.3). views.h has its fields, cards.h answers questions about it:
 *     TrickView view;
 *     if (trick_view(request, &view) && view.trump[0] == 'R') ...    nyet, njet, njet-it
 *     NopeView nope;
 *     if (nope_view(request, &nope) && nope.has_demand) ...          nope */
const char *decide(const Request *request)
{
    return request->legal[rand() % request->legal_count];
}
