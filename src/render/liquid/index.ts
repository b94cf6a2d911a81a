/**
 * Liquid templates in messages, with logic and filters, for what needs more than `templateRenderer`.
 *
 * @module
 */
export { type LiquidEngine, type LiquidRendererOptions, liquidRenderer } from './liquid-renderer.ts';
