"""Android's permission controller: the pages on which an app's permissions are allowed and denied."""
