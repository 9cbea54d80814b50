import { userInfo } from 'node:os'

/**
 * Returns the name of the human who runs a command: their account on the machine, also behind `sudo`. It is only as
 * trustworthy as the machine, as root can set it.
 */
export function operatorName(sudoUser: string | undefined): string {
  return sudoUser || accountName()
}

/** A container may run as a number that has no account. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
