/* Receipts that anybody may have edited, compared with receipts as they should be. */
#include "base/strbuf.h"
#include "fuzz.h"
#include "report/receipt.h"
#include "verify/comparisons.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char sound[] =
        "{\"format\": 1, \"run\": {\"seed\": \"0x7\"}, \"submissions\": [{\"id\": \"al\", "
        "\"points\": 5.5, \"units\": [{\"unit\": \"al.simd\", \"verdict\": \"pass\"}]}], "
        "\"files\": {\"plan.json\": \"00\"}}";
    static json_t *wanted;
    if (!wanted)
        wanted = json_loads(sound, 0, NULL);
    json_auto_t *doc = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!doc)
        return 0;
    FREED_BY(differences_free) struct differences d = {0};
    verify_receipts_themselves(doc, &d);
    size_t before = d.count;
    verify_json((struct place){"receipts.json", "", ""}, doc, wanted, &d);
    FUZZ_ASSERT(json_equal(doc, wanted) ? d.count == before : d.count > before);
    for (size_t i = 0; i < d.count; i++)
        FUZZ_ASSERT(d.item[i].recorded && d.item[i].recomputed);
    receipt_of(doc, 0);
    return 0;
}
