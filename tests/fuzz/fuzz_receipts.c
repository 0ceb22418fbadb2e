/* Receipts that anybody may have edited, compared with receipts as they should be. */
#include "fuzz.h"
#include "report/receipt.h"
#include "verify/parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char sound[] =
        "{\"format\": 1, \"run\": {\"seed\": \"0x7\"}, \"submissions\": [{\"id\": \"al\", "
        "\"points\": 5.5, \"units\": [{\"unit\": \"al.simd\", \"verdict\": \"pass\"}]}], "
        "\"files\": {\"plan.json\": \"00\"}}";
    static json_t *wanted;
    if (!wanted)
        wanted = json_loads(sound, 0, NULL);
    json_t *doc = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!doc)
        return 0;
    struct verification v = {0};
    verify_receipts_themselves(doc, &v);
    size_t before = v.count;
    verify_json("receipts.json", "", "", doc, wanted, &v);
    FUZZ_ASSERT(json_equal(doc, wanted) ? v.count == before : v.count > before);
    for (size_t i = 0; i < v.count; i++)
        FUZZ_ASSERT(v.difference[i].recorded && v.difference[i].recomputed);
    receipt_of(doc, 0);
    verification_free(&v);
    json_decref(doc);
    return 0;
}
