/** The offset of the clock of a server's machine: 97 minutes ahead. */
const AHEAD_MS = 97 * 60_000
const OwnDate = Date

globalThis.Date = class extends OwnDate {
  constructor(...parts) {
    if (parts.length === 0) super(OwnDate.now() + AHEAD_MS)
    else super(...parts)
  }

  static now() {
    return OwnDate.now() + AHEAD_MS
  }
}
