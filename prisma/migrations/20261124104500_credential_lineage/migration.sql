-- With which credential something was made: null for what is there already, of which that is not known.

-- AlterTable
ALTER TABLE "actors" ADD COLUMN     "created_with" TEXT[],
ADD COLUMN     "disabled_by" TEXT;

-- AlterTable
ALTER TABLE "agent_codes" ADD COLUMN     "created_with" TEXT[];

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "created_with" TEXT[],
ADD COLUMN     "revoked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "invites" ADD COLUMN     "created_with" TEXT[];

-- AlterTable
ALTER TABLE "personal_access_tokens" ADD COLUMN     "created_with" TEXT[];

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "created_with" TEXT[];

-- CreateIndex
CREATE INDEX "invites_created_by_idx" ON "invites"("created_by");
