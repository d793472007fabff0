import { type Box, HINT, linkDensity } from './box.ts';
import { isJunk } from './score.ts';

/** Takes out of a root what is not its content. */
export function prune(root: Box): void {
  const prose = Math.max(root.prose, 1);
  const visit = (box: Box): void => {
    for (const child of box.children) {
      if (typeof child === 'string') continue;
      if (isWaste(child, prose, root)) child.removed = true;
      else visit(child);
    }
  };
  visit(root);
}

function isWaste(box: Box, prose: number, root: Box): boolean {
  if (!box.block) return false;
  if (box.prose > prose * 0.5) return false;
  if (isJunk(box) && box.text < root.text * 0.5) return true;
  if ((box.hints & (HINT.byline | HINT.tags | HINT.author)) !== 0 && box.text < 300 && box.tag !== 'p') return true;
  const density = linkDensity(box);
  if (box.tag === 'ul' || box.tag === 'ol' || box.tag === 'dl' || box.tag === 'table')
    return density > 0.7 && box.text > 0;
  if (density > 0.8 && box.text > 0) return true;
  return false;
}
