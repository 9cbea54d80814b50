-- AlterTable
ALTER TABLE "actors" ADD COLUMN     "stop_reason" TEXT,
ADD COLUMN     "stopped_at" TIMESTAMPTZ(3),
ADD COLUMN     "stopped_by" TEXT;

-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "is_stopped" BOOLEAN NOT NULL DEFAULT false;
