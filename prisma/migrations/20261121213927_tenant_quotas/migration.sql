-- CreateTable
CREATE TABLE "tenant_quotas" (
    "tenant_id" UUID NOT NULL,
    "events_per_day" BIGINT,
    "spaces" BIGINT,
    "agents" BIGINT,
    "tokens" BIGINT,
    "bytes" BIGINT,
    "counted_day" DATE NOT NULL,
    "counted_events" BIGINT NOT NULL,
    "counted_bytes" BIGINT NOT NULL,

    CONSTRAINT "tenant_quotas_pkey" PRIMARY KEY ("tenant_id")
);

-- AddForeignKey
ALTER TABLE "tenant_quotas" ADD CONSTRAINT "tenant_quotas_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
