/** Why a file does not prove what it says. */
export class BadLog extends Error {
  override readonly name = 'BadLog'

  constructor(
    message: string,
    /** The first position that is not what was sealed, or null if none can be named. */
    readonly position: number | null = null,
  ) {
    super(message)
  }
}
