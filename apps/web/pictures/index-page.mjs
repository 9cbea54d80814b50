/** Returns a page with all pictures, those of one view side by side. */
export function indexOf(files) {
  const places = [...new Set(files.map(placeOf))]
  const rows = places.map((place) =>
    rowOf(
      place,
      files.filter((file) => placeOf(file) === place),
    ),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every page</title>
<style>
  body { margin: 2rem; font: 1rem system-ui; background: #888 }
  div { display: flex; flex-wrap: wrap; gap: 1rem }
  img { height: 30rem }
</style>
${rows.join('\n')}
</html>
`
}

/** Returns the name without width and scheme. */
const placeOf = (file) => file.replace(/-[a-z]+-[a-z]+\.png$/, '')

function rowOf(place, files) {
  const pictures = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`)
  return `<h2>${place}</h2>\n<div>${pictures.join('')}</div>`
}
