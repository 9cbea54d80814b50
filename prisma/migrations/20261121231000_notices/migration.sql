-- CreateTable
CREATE TABLE "notices" (
    "tenant_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "notice_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "space_id" TEXT,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("tenant_id","actor_id","kind","subject")
);

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
