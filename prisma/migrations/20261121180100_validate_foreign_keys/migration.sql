-- The foreign keys of the migration before, for the rows that were there before it. Readers and writers go on meanwhile;
-- it takes some seconds per million events.

-- By hand: sessions of the service avoid reading a whole table, which is what this is about.
SET LOCAL enable_seqscan = on;

ALTER TABLE "actors" VALIDATE CONSTRAINT "actors_tenant_id_fkey";
ALTER TABLE "actors" VALIDATE CONSTRAINT "actors_sponsor_id_fkey";
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_actor_id_fkey";
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_tenant_id_fkey";
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_actor_id_fkey";
ALTER TABLE "spaces" VALIDATE CONSTRAINT "spaces_tenant_id_fkey";
ALTER TABLE "spaces" VALIDATE CONSTRAINT "spaces_tenant_id_created_by_fkey";
ALTER TABLE "participants" VALIDATE CONSTRAINT "participants_tenant_id_space_id_fkey";
ALTER TABLE "participants" VALIDATE CONSTRAINT "participants_tenant_id_actor_id_fkey";
ALTER TABLE "events" VALIDATE CONSTRAINT "events_tenant_id_space_id_fkey";
ALTER TABLE "events" VALIDATE CONSTRAINT "events_tenant_id_posted_by_fkey";
ALTER TABLE "events" VALIDATE CONSTRAINT "events_tenant_id_space_id_thread_id_fkey";
ALTER TABLE "mentions" VALIDATE CONSTRAINT "mentions_tenant_id_space_id_position_fkey";
ALTER TABLE "threads" VALIDATE CONSTRAINT "threads_tenant_id_space_id_fkey";
ALTER TABLE "threads" VALIDATE CONSTRAINT "threads_tenant_id_posted_by_fkey";
ALTER TABLE "threads" VALIDATE CONSTRAINT "threads_tenant_id_space_id_parent_event_id_fkey";
ALTER TABLE "personal_access_tokens" VALIDATE CONSTRAINT "personal_access_tokens_actor_id_fkey";
ALTER TABLE "invites" VALIDATE CONSTRAINT "invites_tenant_id_fkey";
ALTER TABLE "invites" VALIDATE CONSTRAINT "invites_tenant_id_default_space_id_fkey";
ALTER TABLE "decisions" VALIDATE CONSTRAINT "decisions_tenant_id_space_id_fkey";
ALTER TABLE "decisions" VALIDATE CONSTRAINT "decisions_tenant_id_posted_by_fkey";
ALTER TABLE "decisions" VALIDATE CONSTRAINT "decisions_tenant_id_settled_by_fkey";
ALTER TABLE "links" VALIDATE CONSTRAINT "links_tenant_id_space_id_fkey";
ALTER TABLE "links" VALIDATE CONSTRAINT "links_tenant_id_target_id_fkey";
ALTER TABLE "links" VALIDATE CONSTRAINT "links_tenant_id_created_by_fkey";
ALTER TABLE "summaries" VALIDATE CONSTRAINT "summaries_tenant_id_space_id_fkey";
