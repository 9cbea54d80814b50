/** How this package writes into the log of its program. */
export type LogFunction = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void
