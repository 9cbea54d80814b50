-- CreateTable
CREATE TABLE "tenants" (
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "schema_name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "actors" (
    "actor_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "actor_type" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "email" TEXT,
    "agent_profile" TEXT,
    "metadata" TEXT,
    "sponsor_id" TEXT,
    "default_space_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "installation_id" TEXT,
    "connected_at" TIMESTAMPTZ(3),
    "agent_adapter" TEXT,

    CONSTRAINT "actors_pkey" PRIMARY KEY ("actor_id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "key_hash" BYTEA NOT NULL,
    "actor_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("key_hash")
);

-- CreateTable
CREATE TABLE "memberships" (
    "tenant_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("tenant_id","actor_id")
);

-- CreateTable
CREATE TABLE "spaces" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "links" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "head" BIGINT NOT NULL DEFAULT 0,
    "last_event_at" TIMESTAMPTZ(3),

    CONSTRAINT "spaces_pkey" PRIMARY KEY ("tenant_id","space_id")
);

-- CreateTable
CREATE TABLE "participants" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,
    "agent_adapter" TEXT,

    CONSTRAINT "participants_pkey" PRIMARY KEY ("tenant_id","space_id","actor_id")
);

-- CreateTable
CREATE TABLE "events" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "event_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "speaker_id" TEXT NOT NULL,
    "thread_id" UUID,
    "posted_by" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" BYTEA,
    "wire" TEXT NOT NULL,
    "wire_version" SMALLINT NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("tenant_id","space_id","position")
);

-- CreateTable
CREATE TABLE "mentions" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "participant_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "mentions_pkey" PRIMARY KEY ("tenant_id","space_id","participant_id","position")
);

-- CreateTable
CREATE TABLE "threads" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "thread_id" UUID NOT NULL,
    "parent_event_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "posted_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "threads_pkey" PRIMARY KEY ("tenant_id","space_id","thread_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_schema_name_key" ON "tenants"("schema_name");

-- CreateIndex
CREATE INDEX "actors_sponsor_id_created_at_idx" ON "actors"("sponsor_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_actor_id_key" ON "api_keys"("actor_id");

-- CreateIndex
CREATE INDEX "spaces_tenant_id_started_at_idx" ON "spaces"("tenant_id", "started_at");

-- CreateIndex
CREATE INDEX "participants_tenant_id_actor_id_idx" ON "participants"("tenant_id", "actor_id");

-- CreateIndex
CREATE INDEX "events_tenant_id_space_id_occurred_at_position_idx" ON "events"("tenant_id", "space_id", "occurred_at", "position");

-- CreateIndex: by hand, partial; most events are in no thread
CREATE INDEX "events_tenant_id_space_id_thread_id_position_idx" ON "events"("tenant_id", "space_id", "thread_id", "position") WHERE "thread_id" IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "events_tenant_id_space_id_event_id_key" ON "events"("tenant_id", "space_id", "event_id");

-- CreateIndex: by hand, partial; most events have no idempotency key
CREATE UNIQUE INDEX "events_tenant_id_space_id_posted_by_idempotency_key_key" ON "events"("tenant_id", "space_id", "posted_by", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "threads_tenant_id_space_id_parent_event_id_key" ON "threads"("tenant_id", "space_id", "parent_event_id");

-- AddForeignKey
ALTER TABLE "actors" ADD CONSTRAINT "actors_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "actors" ADD CONSTRAINT "actors_sponsor_id_fkey" FOREIGN KEY ("sponsor_id") REFERENCES "actors"("actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "spaces" ADD CONSTRAINT "spaces_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "spaces" ADD CONSTRAINT "spaces_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_space_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "space_id", "thread_id") REFERENCES "threads"("tenant_id", "space_id", "thread_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_space_id_position_fkey" FOREIGN KEY ("tenant_id", "space_id", "position") REFERENCES "events"("tenant_id", "space_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_tenant_id_space_id_parent_event_id_fkey" FOREIGN KEY ("tenant_id", "space_id", "parent_event_id") REFERENCES "events"("tenant_id", "space_id", "event_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: every event updates its space's row; room on the page keeps the new version there and out of the indexes
ALTER TABLE "spaces" SET (fillfactor = 50);

-- By hand: the tenant that everybody is in until another one is made
INSERT INTO "tenants" ("tenant_id", "name", "schema_name", "status", "created_at")
VALUES ('00000000-0000-4000-8000-000000000000', 'default', 'tenant_default_00000000', 'active', now());
