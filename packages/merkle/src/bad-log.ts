/** The reason why a file does not prove its content. */
export class BadLog extends Error {
  override readonly name = 'BadLog'

  constructor(
    message: string,
    /** The first position that differs from the sealed entry; null if none can be determined. */
    readonly position: number | null = null,
  ) {
    super(message)
  }
}
