-- CreateTable
CREATE TABLE "webhooks" (
    "tenant_id" UUID NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "space_id" TEXT,
    "inbox_of" TEXT,
    "types" TEXT[],
    "payload" TEXT NOT NULL,
    "reach" TEXT[],
    "has_reach" BOOLEAN NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "rotated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "attempts" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("tenant_id","webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_cursors" (
    "tenant_id" UUID NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "act_position" BIGINT NOT NULL DEFAULT 0,
    "message_id" UUID,
    "message_type" TEXT,
    "message_end" BIGINT,
    "message_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_cursors_pkey" PRIMARY KEY ("tenant_id","webhook_id","space_id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "tenant_id" UUID NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "message_id" UUID NOT NULL,
    "message_type" TEXT NOT NULL,
    "space_id" TEXT,
    "count" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" SMALLINT,
    "error" TEXT,
    "number" BIGINT NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("tenant_id","webhook_id","slot")
);

-- CreateIndex
CREATE INDEX "webhooks_tenant_id_owner_id_created_at_idx" ON "webhooks"("tenant_id", "owner_id", "created_at");

-- CreateIndex
CREATE INDEX "webhooks_tenant_id_inbox_of_idx" ON "webhooks"("tenant_id", "inbox_of");

-- CreateIndex
CREATE INDEX "webhooks_tenant_id_space_id_idx" ON "webhooks"("tenant_id", "space_id");

-- CreateIndex
CREATE INDEX "webhooks_tenant_id_created_at_idx" ON "webhooks"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_cursors_tenant_id_space_id_idx" ON "webhook_cursors"("tenant_id", "space_id");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_tenant_id_owner_id_fkey" FOREIGN KEY ("tenant_id", "owner_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_tenant_id_inbox_of_fkey" FOREIGN KEY ("tenant_id", "inbox_of") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_cursors" ADD CONSTRAINT "webhook_cursors_tenant_id_webhook_id_fkey" FOREIGN KEY ("tenant_id", "webhook_id") REFERENCES "webhooks"("tenant_id", "webhook_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_cursors" ADD CONSTRAINT "webhook_cursors_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_tenant_id_webhook_id_fkey" FOREIGN KEY ("tenant_id", "webhook_id") REFERENCES "webhooks"("tenant_id", "webhook_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- by hand: it is about one thing
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_target_check" CHECK (num_nonnulls("space_id", "inbox_of") = 1);

-- by hand: each delivery changes these rows a few times, and no index has what it changes
ALTER TABLE "webhook_cursors" SET (fillfactor = 50);
ALTER TABLE "webhook_attempts" SET (fillfactor = 50);
