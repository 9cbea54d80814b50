/** A reason why the database cannot be brought up to date: one line that says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}
