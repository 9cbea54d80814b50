import { userInfo } from 'node:os'

/**
 * Who runs a command: the account of the machine, or the one that became root for it. It is as true as the machine is:
 * whoever is root there can be anybody.
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
