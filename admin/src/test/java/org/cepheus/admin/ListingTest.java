package org.cepheus.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class ListingTest {
    private static final Listing DISKS =
            new Listing("disks", Set.of("id", "state", "free"), List.of("id"));
    private static final List<ObjectNode> ROWS =
            List.of(disk(3, "rw", 30), disk(1, "ro", 30), disk(2, "rw", 5), disk(4, "drain", 70));

    @ParameterizedTest
    @CsvSource({
        "filter=state=rw,2 3",
        "filter=state!=rw,1 4",
        "filter=state=r*,1 2 3",
        "filter=state=r*&filter=free>5,1 3",
        "filter=free<30,2",
        "filter=id=1,1",
        "sort=free,2 1 3 4",
        "sort=-free,4 1 3 2",
        "sort=-state&filter=free=30,3 1",
        "max=10,1 2 3 4"
    })
    void showsWhatWasAskedForInThatOrder(String query, String ids) {
        assertThat(ids(DISKS.page(ROWS, query(query)))).isEqualTo(ids);
    }

    @ParameterizedTest
    @CsvSource({"'',1 2 3 4", "sort=free&,2 1 3 4", "sort=-free&,4 1 3 2"})
    void comesByEachRowOncePageByPage(String order, String ids) {
        var seen = new ArrayList<String>();
        ObjectNode page = DISKS.page(ROWS, query(order + "max=1"));
        seen.add(ids(page));
        while (page.has("next")) {
            String next = page.path("next").asString();
            page = DISKS.page(ROWS, query(order + "max=1&after=" + next));
            seen.add(ids(page));
        }

        assertThat(String.join(" ", seen)).isEqualTo(ids);
        assertThat(page.path("total").asInt()).isEqualTo(4);
    }

    @Test
    void goesOnBehindARowThatIsGone() {
        String next = DISKS.page(ROWS, query("max=2")).path("next").asString();
        var left = ROWS.stream().filter(row -> row.path("id").asInt() != 2).toList();

        assertThat(ids(DISKS.page(left, query("after=" + next)))).isEqualTo("3 4");
    }

    private static ObjectNode disk(int id, String state, long free) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("state", state)
                .put("free", free);
    }

    private static Query query(String text) {
        var values = new HashMap<String, List<String>>();
        Arrays.stream(text.split("&", -1))
                .filter(part -> !part.isEmpty())
                .map(part -> part.split("=", 2))
                .forEach(part ->
                        values.computeIfAbsent(part[0], _ -> new ArrayList<>()).add(part[1]));
        return new Query(values);
    }

    private static String ids(JsonNode page) {
        return String.join(
                " ",
                page.path("disks").valueStream().map(row -> row.path("id").asString()).toList());
    }
}
