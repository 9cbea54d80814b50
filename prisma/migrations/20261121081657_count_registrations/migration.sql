-- CreateTable
CREATE TABLE "registration_counts" (
    "address" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "registration_counts_pkey" PRIMARY KEY ("address","hour")
);

-- CreateIndex
CREATE INDEX "registration_counts_hour_idx" ON "registration_counts"("hour");
