-- By hand: only the owner of an index may merge its list of new entries. The role that serves owns none, and asks for it
-- here. Anybody else who can connect has no business with it.
CREATE FUNCTION merge_search_index() RETURNS BIGINT
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT
    RETURN gin_clean_pending_list(to_regclass('events_search_keys_idx'));

REVOKE ALL ON FUNCTION merge_search_index() FROM PUBLIC;
