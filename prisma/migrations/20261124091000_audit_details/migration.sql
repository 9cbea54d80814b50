-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "details" TEXT;
