-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "left_as" TEXT;
