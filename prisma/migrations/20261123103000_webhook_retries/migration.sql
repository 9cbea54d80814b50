-- AlterTable
ALTER TABLE "webhook_cursors" ADD COLUMN     "retry_at" TIMESTAMPTZ(6);

-- by hand: few deliveries fail, and what changes for the others is in no index
CREATE INDEX "webhook_cursors_retry_at_idx" ON "webhook_cursors"("retry_at") WHERE "retry_at" IS NOT NULL;
