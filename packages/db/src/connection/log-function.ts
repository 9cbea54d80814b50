/** Writes to the log of the program that uses this package. */
export type LogFunction = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void
