/** In a headless browser, every tab is visible: this fakes the visibility of a tab. */
export function sightIsTold(): void {
  let sight = 'visible'
  Object.defineProperty(document, 'visibilityState', { get: () => sight })
  window.addEventListener('told-sight', (event) => {
    sight = (event as CustomEvent<string>).detail
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

/** Sets the visibility of a tab. */
export function tellSight(sight: string): void {
  window.dispatchEvent(new CustomEvent('told-sight', { detail: sight }))
}
