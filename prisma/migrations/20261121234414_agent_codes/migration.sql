-- CreateTable
CREATE TABLE "agent_codes" (
    "code_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "sponsor_id" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "display_name" TEXT NOT NULL,
    "agent_profile" TEXT,
    "space_ids" TEXT[],
    "key_limits" TEXT,
    "key_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "agent_id" TEXT,
    "installation_id" TEXT,
    "key_hash" BYTEA,

    CONSTRAINT "agent_codes_pkey" PRIMARY KEY ("code_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_codes_code_hash_key" ON "agent_codes"("code_hash");

-- CreateIndex
CREATE INDEX "agent_codes_sponsor_id_created_at_idx" ON "agent_codes"("sponsor_id", "created_at");

-- AddForeignKey
ALTER TABLE "agent_codes" ADD CONSTRAINT "agent_codes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("tenant_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_codes" ADD CONSTRAINT "agent_codes_sponsor_id_fkey" FOREIGN KEY ("sponsor_id") REFERENCES "actors"("actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
