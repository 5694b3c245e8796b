// The only line of the shop that knows about sandboxes. In production it changes nothing.
import { forwardSandbox } from 'petstore-mock/ssr'
import { serve } from './serve.js'

serve((url, request) => fetch(url, forwardSandbox(request)))
