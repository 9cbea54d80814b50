-- CreateTable
CREATE TABLE "attention" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "is_mention" BOOLEAN NOT NULL,
    "is_reply" BOOLEAN NOT NULL,
    "in_thread" BOOLEAN NOT NULL,

    CONSTRAINT "attention_pkey" PRIMARY KEY ("tenant_id","space_id","actor_id","position")
);

-- CreateTable
-- By hand: room for new versions of a row beside the old one, as it changes with every event that addresses its actor.
CREATE TABLE "attention_heads" (
    "tenant_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "head" BIGINT NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attention_heads_pkey" PRIMARY KEY ("tenant_id","actor_id","space_id")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "read_cursors" (
    "tenant_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "read_cursors_pkey" PRIMARY KEY ("tenant_id","actor_id","space_id")
) WITH (fillfactor = 70);

-- AddForeignKey
ALTER TABLE "attention" ADD CONSTRAINT "attention_tenant_id_space_id_position_fkey" FOREIGN KEY ("tenant_id", "space_id", "position") REFERENCES "events"("tenant_id", "space_id", "position") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attention_heads" ADD CONSTRAINT "attention_heads_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attention_heads" ADD CONSTRAINT "attention_heads_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "read_cursors" ADD CONSTRAINT "read_cursors_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "read_cursors" ADD CONSTRAINT "read_cursors_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
