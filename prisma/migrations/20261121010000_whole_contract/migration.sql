-- DropIndex
DROP INDEX "events_tenant_id_space_id_occurred_at_position_idx";

-- AlterTable
ALTER TABLE "actors" ADD COLUMN     "is_admin" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "terms" tsvector;

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "pat_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token_prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "personal_access_tokens_pkey" PRIMARY KEY ("pat_id")
);

-- CreateTable
CREATE TABLE "invites" (
    "invite_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "email" TEXT,
    "default_space_id" TEXT,
    "grants_admin" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "redeemed_by" TEXT,

    CONSTRAINT "invites_pkey" PRIMARY KEY ("invite_id")
);

-- CreateTable
CREATE TABLE "decisions" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "decision_id" UUID NOT NULL,
    "proposed_by" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "posted_by" TEXT NOT NULL,
    "settled_by" TEXT,
    "idempotency_key" TEXT,
    "request_hash" BYTEA,

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("tenant_id","space_id","decision_id")
);

-- CreateTable
CREATE TABLE "links" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "target_id" TEXT,
    "target_uri" TEXT,
    "target_key" TEXT NOT NULL,
    "link_type" TEXT NOT NULL,
    "attributes" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "links_pkey" PRIMARY KEY ("tenant_id","space_id","link_id")
);

-- CreateTable
CREATE TABLE "summaries" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "summary_id" UUID NOT NULL,
    "source_hash" BYTEA NOT NULL,
    "text" TEXT NOT NULL,
    "event_count" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "summaries_pkey" PRIMARY KEY ("tenant_id","space_id","summary_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_token_hash_key" ON "personal_access_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "personal_access_tokens_actor_id_created_at_idx" ON "personal_access_tokens"("actor_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "invites_code_hash_key" ON "invites"("code_hash");

-- CreateIndex
CREATE INDEX "invites_tenant_id_created_at_idx" ON "invites"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "decisions_tenant_id_space_id_created_at_idx" ON "decisions"("tenant_id", "space_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "decisions_tenant_id_space_id_posted_by_idempotency_key_key" ON "decisions"("tenant_id", "space_id", "posted_by", "idempotency_key")
    WHERE "idempotency_key" IS NOT NULL;

-- CreateIndex
CREATE INDEX "links_tenant_id_target_id_idx" ON "links"("tenant_id", "target_id");

-- CreateIndex
CREATE UNIQUE INDEX "links_tenant_id_space_id_target_key_link_type_key" ON "links"("tenant_id", "space_id", "target_key", "link_type");

-- CreateIndex
CREATE INDEX "summaries_tenant_id_space_id_source_hash_created_at_idx" ON "summaries"("tenant_id", "space_id", "source_hash", "created_at");

-- CreateIndex
CREATE INDEX "events_tenant_id_space_id_occurred_at_position_speaker_id_idx" ON "events"("tenant_id", "space_id", "occurred_at", "position", "speaker_id");

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actors"("actor_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_tenant_id_default_space_id_fkey" FOREIGN KEY ("tenant_id", "default_space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_tenant_id_posted_by_fkey" FOREIGN KEY ("tenant_id", "posted_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_tenant_id_settled_by_fkey" FOREIGN KEY ("tenant_id", "settled_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_tenant_id_target_id_fkey" FOREIGN KEY ("tenant_id", "target_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Full-text search. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS unaccent;

-- English inflections, whatever the accents. Accents go before stemming.
CREATE TEXT SEARCH CONFIGURATION spaces (COPY = english);
ALTER TEXT SEARCH CONFIGURATION spaces
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, english_stem;

-- Events of before are found by their words.
UPDATE "events" SET "terms" = to_tsvector('spaces', "wire"::json ->> 'text');

-- What an index of the terms is asked for: each term as a number of its own in each space. So a search reads the
-- entries of its own spaces only, whatever is said elsewhere. Numbers may collide; what they find is looked at again.
CREATE FUNCTION search_keys("tenant_id" UUID, "space_id" TEXT, "terms" TEXT[]) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT hashtextextended("term", hashtextextended("space_id", uuid_hash_extended("tenant_id", 0)))
                 FROM unnest("terms") AS "term");

-- The list of entries that wait to be merged is kept short: a writer that has to merge a long one stalls.
CREATE INDEX "events_search_keys_idx" ON "events" USING gin (search_keys("tenant_id", "space_id", tsvector_to_array("terms")))
    WITH (gin_pending_list_limit = 512) WHERE "terms" IS NOT NULL;
