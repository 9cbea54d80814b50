/** The name under which password managers save the key. */
export const HiddenUsername = ({ name }: { readonly name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
)
