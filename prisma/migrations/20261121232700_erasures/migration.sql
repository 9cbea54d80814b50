-- AlterTable
ALTER TABLE "spaces" ADD COLUMN     "redactions" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "erasures" (
    "erasure_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "event_id" UUID,
    "leaf_hash" BYTEA,
    "events" BIGINT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "reason" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("erasure_id")
);

-- CreateIndex
CREATE INDEX "erasures_started_at_erasure_id_idx" ON "erasures"("started_at", "erasure_id");

-- CreateIndex
CREATE UNIQUE INDEX "erasures_tenant_id_space_id_event_id_key" ON "erasures"("tenant_id", "space_id", "event_id");
