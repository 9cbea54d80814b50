-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "verified_at" TIMESTAMPTZ(3);

-- by hand: the receivers of those that are there have taken requests all along.
UPDATE "webhooks" SET "verified_at" = "created_at";
