-- Why a robots.txt cannot be read, for the person who wonders why nothing of the site is fetched.
ALTER TABLE robots ADD COLUMN reason text;

-- Nothing ever filled it: documents.page_id and pages.url_hash lead from a task to its document.
ALTER TABLE tasks DROP COLUMN document_id;
