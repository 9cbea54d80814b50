/** The reason why a command of the operator fails. The message is one line for the operator. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
