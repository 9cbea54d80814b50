-- Keys never change, so no foreign key has to carry a change on: ON UPDATE CASCADE goes. A foreign key cannot be altered,
-- only made anew, NOT VALID so that no row is looked at here; the next migration looks at them. In between they hold for
-- every row that is written, and what is there already satisfied the ones before.

-- By hand: all locks first, for servers of the version before go on working. None is waited for so long that a deadlock
-- would be looked for, and ended at the cost of a request: then all are let go, and asked for again. Only every tenth
-- time waits longer, as PostgreSQL ends an autovacuum that is in the way after a second.
DO $$
BEGIN
    FOR attempt IN 1..100 LOOP
        PERFORM set_config('lock_timeout', CASE WHEN attempt % 10 = 0 THEN '1500ms' ELSE '200ms' END, true);
        BEGIN
            LOCK TABLE "api_keys", "personal_access_tokens", "actors", "tenants", "spaces", "threads",
                "decisions", "events", "mentions", "links", "summaries", "participants", "invites",
                "memberships";
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            IF attempt = 100 THEN RAISE; END IF;
            PERFORM pg_sleep(0.1 * random());
        END;
    END LOOP;
END $$;

ALTER TABLE "actors" DROP CONSTRAINT "actors_tenant_id_fkey",
    ADD CONSTRAINT "actors_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "actors" DROP CONSTRAINT "actors_sponsor_id_fkey",
    ADD CONSTRAINT "actors_sponsor_id_fkey" FOREIGN KEY ("sponsor_id") REFERENCES "actors"("actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_actor_id_fkey",
    ADD CONSTRAINT "api_keys_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "memberships" DROP CONSTRAINT "memberships_tenant_id_fkey",
    ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "memberships" DROP CONSTRAINT "memberships_actor_id_fkey",
    ADD CONSTRAINT "memberships_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "spaces" DROP CONSTRAINT "spaces_tenant_id_fkey",
    ADD CONSTRAINT "spaces_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "spaces" DROP CONSTRAINT "spaces_tenant_id_created_by_fkey",
    ADD CONSTRAINT "spaces_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "participants" DROP CONSTRAINT "participants_tenant_id_space_id_fkey",
    ADD CONSTRAINT "participants_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "participants" DROP CONSTRAINT "participants_tenant_id_actor_id_fkey",
    ADD CONSTRAINT "participants_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "events" DROP CONSTRAINT "events_tenant_id_space_id_fkey",
    ADD CONSTRAINT "events_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "events" DROP CONSTRAINT "events_tenant_id_posted_by_fkey",
    ADD CONSTRAINT "events_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "events" DROP CONSTRAINT "events_tenant_id_space_id_thread_id_fkey",
    ADD CONSTRAINT "events_tenant_id_space_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "space_id", "thread_id") REFERENCES "threads"("tenant_id", "space_id", "thread_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "mentions" DROP CONSTRAINT "mentions_tenant_id_space_id_position_fkey",
    ADD CONSTRAINT "mentions_tenant_id_space_id_position_fkey" FOREIGN KEY ("tenant_id", "space_id", "position") REFERENCES "events"("tenant_id", "space_id", "position") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "threads" DROP CONSTRAINT "threads_tenant_id_space_id_fkey",
    ADD CONSTRAINT "threads_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "threads" DROP CONSTRAINT "threads_tenant_id_posted_by_fkey",
    ADD CONSTRAINT "threads_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "threads" DROP CONSTRAINT "threads_tenant_id_space_id_parent_event_id_fkey",
    ADD CONSTRAINT "threads_tenant_id_space_id_parent_event_id_fkey" FOREIGN KEY ("tenant_id", "space_id", "parent_event_id") REFERENCES "events"("tenant_id", "space_id", "event_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "personal_access_tokens" DROP CONSTRAINT "personal_access_tokens_actor_id_fkey",
    ADD CONSTRAINT "personal_access_tokens_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "invites" DROP CONSTRAINT "invites_tenant_id_fkey",
    ADD CONSTRAINT "invites_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "invites" DROP CONSTRAINT "invites_tenant_id_default_space_id_fkey",
    ADD CONSTRAINT "invites_tenant_id_default_space_id_fkey" FOREIGN KEY ("tenant_id", "default_space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "decisions" DROP CONSTRAINT "decisions_tenant_id_space_id_fkey",
    ADD CONSTRAINT "decisions_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "decisions" DROP CONSTRAINT "decisions_tenant_id_posted_by_fkey",
    ADD CONSTRAINT "decisions_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "decisions" DROP CONSTRAINT "decisions_tenant_id_settled_by_fkey",
    ADD CONSTRAINT "decisions_tenant_id_settled_by_fkey" FOREIGN KEY ("tenant_id", "settled_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "links" DROP CONSTRAINT "links_tenant_id_space_id_fkey",
    ADD CONSTRAINT "links_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "links" DROP CONSTRAINT "links_tenant_id_target_id_fkey",
    ADD CONSTRAINT "links_tenant_id_target_id_fkey" FOREIGN KEY ("tenant_id", "target_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "links" DROP CONSTRAINT "links_tenant_id_created_by_fkey",
    ADD CONSTRAINT "links_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "summaries" DROP CONSTRAINT "summaries_tenant_id_space_id_fkey",
    ADD CONSTRAINT "summaries_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;
