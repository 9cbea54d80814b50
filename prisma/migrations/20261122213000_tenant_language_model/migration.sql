-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "allows_language_model" BOOLEAN NOT NULL DEFAULT true;
