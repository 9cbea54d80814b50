/** A browser without windows has every tab in sight: here a tab is told whether it is. */
export function sightIsTold(): void {
  let sight = 'visible'
  Object.defineProperty(document, 'visibilityState', { get: () => sight })
  window.addEventListener('told-sight', (event) => {
    sight = (event as CustomEvent<string>).detail
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

/** Tells a tab that it is `visible` or `hidden`. */
export function tellSight(sight: string): void {
  window.dispatchEvent(new CustomEvent('told-sight', { detail: sight }))
}
