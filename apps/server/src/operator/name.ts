import { userInfo } from 'node:os'

/**
 * The name of the person who runs a command: their account of the machine, also if they became root for it. It is as
 * true as the machine is: somebody who is root there can be anybody.
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
