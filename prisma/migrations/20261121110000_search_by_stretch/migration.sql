-- The keys of a term are now those of a space and a stretch of 32,768 positions in it, so that a search for the newest
-- matches of a common word does not read all of them. A space with fewer events has one stretch, and as many keys as
-- before. Making the index again takes a minute and a half per million events.
DROP INDEX "events_search_keys_idx";
DROP FUNCTION search_keys(UUID, TEXT, TEXT[]);

CREATE FUNCTION search_keys("tenant_id" UUID, "space_id" TEXT, "stretch" BIGINT, "terms" TEXT[]) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT hashtextextended("term", hashtextextended("space_id", uuid_hash_extended("tenant_id", "stretch")))
                 FROM unnest("terms") AS "term");

-- The list of entries that wait to be merged is long, as the service merges it beside the writers, each second. Without
-- that a writer would have to, and wait.
CREATE INDEX "events_search_keys_idx" ON "events"
    USING gin (search_keys("tenant_id", "space_id", "position" / 32768, tsvector_to_array("terms")))
    WITH (gin_pending_list_limit = 16384) WHERE "terms" IS NOT NULL;
