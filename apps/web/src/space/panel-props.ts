/** What every panel beside the history of a space gets. */
export interface PanelProps {
  readonly spaceId: string
  readonly onClose: () => void
}
