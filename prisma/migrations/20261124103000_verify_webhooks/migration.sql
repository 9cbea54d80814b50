-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "webhook_hosts" TEXT;

-- by hand: the receivers of those that are there have taken requests all along.
UPDATE "webhooks" SET "verified_at" = "created_at";
