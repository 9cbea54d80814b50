/** Password managers keep a key under a name, which nobody has to type here. */
export const HiddenUsername = ({ name }: { readonly name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
)
