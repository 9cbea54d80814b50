/** For a server whose machine has a clock that is ahead, in minutes. */
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
