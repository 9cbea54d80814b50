/** Why the database cannot be brought up to date. The message is one line that says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}
