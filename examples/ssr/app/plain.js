// The shop without a word about sandboxes.
import { serve } from './serve.js'

serve((url) => fetch(url))
