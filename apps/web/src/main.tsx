import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { takeInviteLink } from './features/session/pending-invite'
import { applyLook } from './shared/browser/look'

applyLook()
takeInviteLink()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
