export const pictureTexts = {
  label: 'Picture',
  choose: 'Choose a picture',
  remove: 'Remove',
  hint: 'Or drop one here. Its middle square is shown.',
  unreadable: 'This browser cannot read the file as an image: choose a PNG, JPEG or WebP.',
  ofAgent: (name: string) => `Picture of ${name}`,
}
